import { after, before, describe, test } from 'node:test';
import { newOwner } from '@toolfold/agent/internal/sessions/lease.ts';
import { storeCases } from '@toolfold/testing/internal/store-cases/store-cases.ts';
import { Client } from 'pg';
import { type Cluster, NO_SERVER, startCluster } from '../../test/cluster.test-support.ts';
import { postgresStore } from './postgres-store.ts';

describe('the store in PostgreSQL', { skip: NO_SERVER }, () => {
  let cluster: Cluster;
  let admin: Client;
  before(async () => {
    cluster = await startCluster();
    admin = new Client(cluster.connection);
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await cluster.remove();
  });

  for (const [index, { name, run }] of storeCases.entries())
    test(name, async (context) => {
      const schema = `case ${index}`;
      const another = async () => {
        const store = await postgresStore({
          connection: { ...cluster.connection, max: 3 },
          schema,
        });
        context.after(() => store.close());
        return store;
      };
      const pass = async (time: number, session?: string) => {
        const of = session === undefined ? '' : ' WHERE id = $2';
        const values = session === undefined ? [time] : [time, session];
        await admin.query(
          `UPDATE "${schema}".session SET renewed_at = renewed_at - $1${of}`,
          values,
        );
        await admin.query(`UPDATE "${schema}".draft SET watched_at = watched_at - $1`, [time]);
      };
      const { now } = Date;
      await run(await another(), {
        another,
        // Time passes in the database alone, and the clocks of this process do not matter.
        clock: () => ({
          slack: 1_000,
          pass,
          set: (hours) => {
            Date.now = () => now() + hours * 3_600_000;
          },
          restore: () => {
            Date.now = now;
          },
        }),
        acquireGone: async (store, session) => {
          const lease = await store.acquire(session, newOwner());
          await pass(15_000, session);
          return lease;
        },
      });
    });
});
