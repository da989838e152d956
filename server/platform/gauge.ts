import { Gauge, type Registry } from 'prom-client'

/** A metric without labels, read at each scrape. */
export const addGauge = (registry: Registry, name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
