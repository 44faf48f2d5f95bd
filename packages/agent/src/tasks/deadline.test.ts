import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { Deadline } from './task-run.ts';

function mocked(t: TestContext, milliseconds: number) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const passed = t.mock.fn();
  const deadline = new Deadline(milliseconds, passed);
  const tick = (ms: number) => t.mock.timers.tick(ms);
  return { deadline, count: () => passed.mock.callCount(), tick };
}

function setClock(t: TestContext, time: number, during: () => void): void {
  const now = t.mock.method(Date, 'now', () => time);
  during();
  now.mock.restore();
}

suite('deadline', () => {
  test('calls once, when its time has passed', (t) => {
    const { count, tick } = mocked(t, 100);
    tick(99);
    assert.equal(count(), 0);
    tick(1);
    assert.equal(count(), 1);
    tick(1_000);
    assert.equal(count(), 1);
  });

  test('stops while paused and continues with the time left, any number of times', (t) => {
    const { deadline, count, tick } = mocked(t, 100);
    for (const step of [30, 40, 20]) {
      tick(step);
      deadline.pause();
      tick(10_000);
      assert.equal(count(), 0);
      deadline.resume();
    }
    tick(9);
    assert.equal(count(), 0);
    tick(1);
    assert.equal(count(), 1);
  });

  test('pausing or resuming twice has the effect of once', (t) => {
    const { deadline, count, tick } = mocked(t, 100);
    tick(60);
    deadline.resume();
    deadline.pause();
    tick(500);
    deadline.pause();
    deadline.resume();
    deadline.resume();
    tick(39);
    assert.equal(count(), 0);
    tick(1);
    assert.equal(count(), 1);
    tick(500);
    assert.equal(count(), 1);
  });

  test('setting the clock back gives no more time than was left', (t) => {
    const { deadline, count, tick } = mocked(t, 100);
    setClock(t, -1_000, () => deadline.pause());
    deadline.resume();
    tick(100);
    assert.equal(count(), 1);
  });

  test('setting the clock forward ends the timer when it next runs', (t) => {
    const { deadline, count, tick } = mocked(t, 100);
    setClock(t, 1_000, () => deadline.pause());
    assert.equal(count(), 0);
    deadline.resume();
    tick(1);
    assert.equal(count(), 1);
  });

  test('a paused deadline holds no timer', () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const deadline = new Deadline(5_000, () => {});
    assert.equal(timers(), before + 1);
    deadline.pause();
    assert.equal(timers(), before);
  });
});
