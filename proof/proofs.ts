import { alerts } from './alerts/alerts.ts'
import { citus } from './citus/citus.ts'
import { cost } from './cost/cost.ts'
import { crashes } from './crashes/crashes.ts'
import { fairness } from './fairness/fairness.ts'
import { fleetMetrics } from './fleet-metrics/fleet-metrics.ts'
import { incidents } from './incidents/incidents.ts'
import { input } from './input/input.ts'
import { isolation } from './isolation/isolation.ts'
import { link } from './link/link.ts'
import { load } from './load/load.ts'
import { packaging } from './packaging/packaging.ts'
import { processes } from './processes/processes.ts'
import type { Proof } from './proof.ts'
import { races } from './races/races.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { upstream } from './upstream/upstream.ts'

/** In the order in which `all` runs them. */
export const proofs: Proof[] = [
  isolation,
  input,
  cost,
  races,
  crashes,
  upstream,
  load,
  link,
  upgrade,
  processes,
  packaging,
  citus,
  fairness,
  alerts,
  fleetMetrics,
  incidents,
]
