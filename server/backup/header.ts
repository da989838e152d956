import { z } from 'zod'

export const Name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const Moment = z.string().regex(/^[\d :.+-]{10,40}$/)

/** The metadata of a backup, in every format. */
export const Header = z.object({
  product: z.literal('dishboard'),
  /** The second has brand files, and may lack telemetry. The third can be read concurrently. */
  format: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  version: z.string(),
  madeAt: z.string(),
  /** Shows whether SECRET_KEY is still the same, without revealing it. */
  keyCheck: z.string(),
  migrations: z.array(z.string()).min(1),
  tenants: z.array(z.string()),
  partitions: z.array(
    z.object({
      table: Name,
      name: Name,
      from: Moment,
      to: Moment,
      /** Storage parameters, for example when to vacuum. */
      options: z.array(z.string().regex(/^[a-z_]+=[a-z0-9.]+$/)).default([]),
    }),
  ),
  hasTelemetry: z.boolean().default(true),
})
export type Header = z.output<typeof Header>

export const BrandFile = z.object({
  tenant: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/),
  name: z.string().regex(/^[\w-][\w.-]{0,200}$/),
})
export type BrandFile = z.output<typeof BrandFile>

export const Sequences = z.array(z.object({ table: Name, column: Name, last: z.int().nonnegative() }))
export type Sequences = z.output<typeof Sequences>
