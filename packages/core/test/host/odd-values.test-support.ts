import { runInNewContext } from 'node:vm';

class Rule {
  readonly deny = 'No.';
}

/** Values that are no plain object, and how a warning names each. A denial may be hidden in them. */
export const NOT_PLAIN: readonly (readonly [what: string, value: unknown])[] = [
  ['null', null],
  ['a boolean', false],
  ['a boolean', true],
  ['a number', 0],
  ['a number', 1],
  ['a bigint', 1n],
  ['a string', ''],
  ['a string', 'secret'],
  ['a symbol', Symbol('secret')],
  ['a function', () => 'secret'],
  ['a function', class Secret {}],
  ['an array', []],
  ['an array', ['secret']],
  ['an array', Object.setPrototypeOf(['secret'], null)],
  ['an instance of Error', new Error('secret')],
  ['an instance of TypeError', new TypeError('secret')],
  ['an instance of Response', new Response('secret', { status: 403 })],
  ['an instance of Map', new Map([['deny', 'secret']])],
  ['an instance of Set', new Set(['secret'])],
  ['an instance of Date', new Date(0)],
  ['an instance of RegExp', /secret/],
  ['an instance of Rule', new Rule()],
  ['an instance of URL', new URL('http://127.0.0.1/secret')],
  ['an instance of Uint8Array', new Uint8Array([1])],
  ['an instance of String', new String('secret')],
  ['an instance of Map', runInNewContext('new Map()')],
  ['an array', runInNewContext('["secret"]')],
  ['an object that is not plain', new (class {})()],
  ['an object that is not plain', Object.create({ deny: 'secret' })],
  ['an object that is not plain', Object.create(Object.create(null, { deny: { value: 's' } }))],
];

/** Objects with the prototype of a plain one, but with properties that cannot be read as they are. */
export const ODD_PROPERTIES: readonly (readonly [what: string, value: object])[] = [
  ['an object with a symbol as a key', { [Symbol('deny')]: 'secret' }],
  ['an object with a property that is not enumerable', Math],
  ['an object with a property that is not enumerable', hidden('deny')],
  ['an object with a property that is not enumerable', Object.prototype],
  [
    'an object with a getter or a setter',
    {
      get deny() {
        return 'secret';
      },
    },
  ],
  ['an object with a getter or a setter', { set deny(_: string) {} }],
  ['an object that cannot be read', throwing('ownKeys')],
  ['an object that cannot be read', throwing('get')],
  ['an object that cannot be read', throwing('getOwnPropertyDescriptor')],
  ['an object that cannot be read', throwing('getPrototypeOf')],
];

/** An object that throws wherever it is read, also by `await`. */
export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({ deny: 'secret' }, {});
  revoke();
  return proxy;
}

function hidden(key: string): object {
  return Object.defineProperty({}, key, { value: 'secret', enumerable: false });
}

function throwing(trap: keyof ProxyHandler<object>): object {
  // A promise waits for an object with `then`, so that key has to be readable.
  const fail = (_: object, key?: unknown) => {
    if (key === 'then') return undefined;
    throw new Error('secret');
  };
  return new Proxy({ deny: 'secret' }, { [trap]: fail });
}
