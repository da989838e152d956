import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { route } from './route.ts'

export const fleetMetrics = {
  scrape: route({
    method: 'GET',
    path: '/fleet-metrics/',
    access: 'user',
    summary: 'Status, newest values and usage of the terminals that the caller may see, for Prometheus',
    input: NoInput,
    output: z.string(),
    media: 'application/openmetrics-text',
  }),
}
