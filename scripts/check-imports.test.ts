import { describe, expect, test } from 'vitest'
import { CAPABILITIES, findCycle, findImportFault } from './check-imports.mjs'

describe('the direction of imports', () => {
  test.each([
    ['contract/terminals.ts', './route.ts'],
    ['contract/terminals.ts', 'zod/mini'],
    ['contract/text.test.ts', 'vitest'],
    ['starlink/client.ts', './wire.ts'],
    ['starlink/client.ts', 'node:timers/promises'],
    ['simulator/fleet.ts', '#starlink/wire.ts'],
    ['server/fleet/routes.ts', '../platform/http/mount.ts'],
    ['server/plans/testing/pools.ts', '../../process/app.ts'],
    ['server/plans/pools.ts', '../fleet/notify.ts'],
    ['server/platform/http/mount.ts', '../context.ts'],
    ['server/process/app.ts', '../fleet/fleet.ts'],
    ['server/fleet/routes.ts', '#contract/terminals.ts'],
    ['server/vendor/queues.ts', '#starlink/client.ts'],
    ['server/vendor/queues.test.ts', '#simulator/server.ts'],
    ['server/vendor/testing/accounts.ts', '#simulator/server.ts'],
    ['cli/doctor.ts', '#server/config.ts'],
    ['demo/main.ts', '#simulator/server.ts'],
    ['web/src/screens/home/Home.tsx', '../../ui/Panel.tsx'],
    ['web/src/screens/home/Home.tsx', '../../api.ts'],
    ['web/src/screens/home/list/Row.tsx', '../Home.tsx'],
    ['web/src/parts/map/Map.tsx', '../status.ts'],
    ['web/src/routes.tsx', './screens/home/Home.tsx'],
    ['scripts/start.mjs', 'node:path'],
  ])('%s may import %s', (file, specifier) => {
    expect(findImportFault(file, specifier)).toBeUndefined()
  })

  test.each([
    ['contract/terminals.ts', '#server/db.ts'],
    ['contract/terminals.ts', '../server/db.ts'],
    ['contract/terminals.ts', 'node:fs'],
    ['contract/terminals.ts', 'fastify'],
    ['starlink/client.ts', '#contract/errors.ts'],
    ['starlink/client.ts', '#server/db.ts'],
    ['starlink/client.ts', '../server/db.ts'],
    ['simulator/fleet.ts', '#server/db.ts'],
    ['simulator/fleet.ts', '#contract/terminals.ts'],
    ['server/vendor/queues.ts', '#simulator/fleet.ts'],
    ['server/audit/record.ts', '../messages/queue-mail.ts'],
    ['server/fleet/fleet.ts', '../process/app.ts'],
    ['server/platform/context.ts', '../fleet/fleet.ts'],
    ['server/unlisted/routes.ts', '../fleet/fleet.ts'],
    ['server/vendor/queues.ts', '../../simulator/fleet.ts'],
    ['server/vendor/queues.ts', '#server/db.ts'],
    ['server/process/main.ts', '#web/src/api.ts'],
    ['cli/doctor.ts', '#simulator/fleet.ts'],
    ['cli/doctor.ts', '../server/config.ts'],
    ['web/src/api.ts', '#server/http.ts'],
    ['web/src/api.ts', '../../server/http.ts'],
    ['web/src/api.ts', './screens/home/Home.tsx'],
    ['web/src/ui/Panel.tsx', '../parts/status.ts'],
    ['web/src/ui/Panel.tsx', '../api.ts'],
    ['web/src/ui/Panel.tsx', '#contract/terminals.ts'],
    ['web/src/ui/Panel.tsx', '@tanstack/react-query'],
    ['web/src/parts/status.ts', '../screens/home/Home.tsx'],
    ['web/src/parts/map/Map.tsx', '#starlink/wire.ts'],
    ['web/src/screens/home/Home.tsx', '../login/Login.tsx'],
    ['web/src/screens/home/list/Row.tsx', '../../login/Login.tsx'],
    ['scripts/start.mjs', 'fastify'],
  ])('%s may not import %s', (file, specifier) => {
    expect(findImportFault(file, specifier)).toMatch(/leaves|direction|may not be imported|relative/)
  })
})

describe('the table of capabilities', () => {
  test('has no cycle', () => {
    expect(findCycle(CAPABILITIES)).toBeUndefined()
  })

  test('reports a cycle of any length', () => {
    expect(findCycle({ a: ['b'], b: ['a'] })).toEqual(['a', 'b', 'a'])
    expect(findCycle({ a: ['b'], b: ['c', 'd'], c: [], d: ['b'] })).toEqual(['b', 'd', 'b'])
    expect(findCycle({ a: ['a'] })).toEqual(['a', 'a'])
    expect(findCycle({ a: ['b', 'c'], b: ['c'], c: [] })).toBeUndefined()
  })
})
