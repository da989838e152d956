import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { looseBoolean } from './codecs.ts'
import { route } from './route.ts'
import { unitSystems } from './units.ts'

/** URLs of a tenant's images. Each missing one falls back to its default. */
const TenantImages = z.object({
  logo: z.optional(z.string()),
  navbar: z.optional(z.string()),
  homepage1: z.optional(z.string()),
  homepage2: z.optional(z.string()),
  homepage3: z.optional(z.string()),
  favicon: z.optional(z.string()),
})

const TenantColors = z.object({ primary: z.optional(z.string()), accent: z.optional(z.string()) })

/** URLs of raster tiles with {z}, {x} and {y}. Without them the map shows only its bundled outlines. */
const MapTiles = z.object({
  light: z.optional(z.string()),
  dark: z.optional(z.string()),
  attribution: z.optional(z.string()),
})
export type MapTiles = z.output<typeof MapTiles>

const ticketSettings = ['email', 'freshdesk'] as const

/** How users open tickets: with our form, with the help desk's widget, or not at all. */
const TicketSetting = z.codec(z.nullish(z.string()), z.optional(z.enum(ticketSettings)), {
  decode: (value) => ticketSettings.find((setting) => setting === value),
  encode: (setting) => setting,
})

/** Every field is optional. For a tenant without a configuration this is `{}`, and visitors go to the marketing page. */
export const TenantConfig = z.object({
  tenant: z.optional(z.string()),
  company_name: z.optional(z.string()),
  support_phone: z.optional(z.string()),
  support_email: z.optional(z.string()),
  homepageImageCount: z.optional(z.int()),
  mapInitialCenter: z.optional(z.tuple([z.number(), z.number()])),
  initialZoomLevel: z.optional(z.number()),
  chatbotEnabled: z.optional(looseBoolean),
  ticket: TicketSetting,
  /** The tenant's own widgets, which only its own pages may load. */
  chatbot_script: z.optional(z.string()),
  freshdesk_script: z.optional(z.string()),
  faq_url: z.optional(z.string()),
  sales_url: z.optional(z.string()),
  images: z.optional(TenantImages),
  colors: z.optional(TenantColors),
  mapTiles: z.optional(MapTiles),
  /** The time zone in which the tenant's times are shown: America/Anchorage. */
  timeZone: z.optional(z.string()),
  units: z.optional(z.enum(unitSystems)),
  /** Set if users sign in through an OpenID provider; with `isOnly`, passwords are for emergencies. */
  singleSignOn: z.optional(z.object({ label: z.string(), isOnly: z.boolean() })),
})
export type TenantConfig = z.output<typeof TenantConfig>

export const tenants = {
  config: route({
    method: 'GET',
    path: '/config/',
    access: 'public',
    summary: 'The public settings of the tenant of the host name',
    input: NoInput,
    output: TenantConfig,
    isNeverShed: true,
  }),
}
