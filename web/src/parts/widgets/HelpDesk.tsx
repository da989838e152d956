import { useThirdPartyScript } from './third-party-script.ts'

declare global {
  interface Window {
    fwSettings?: { widget_id: number }
    FreshworksWidget?: { (...args: unknown[]): void; q?: unknown[][] }
  }
}

/** Freshdesk's widget finds its number and what was asked of it early under these names. */
function prepareFreshdesk(address: string) {
  const id = /\/(\d+)\.js$/.exec(address.split(/[?#]/, 1)[0] as string)?.[1]
  if (id) window.fwSettings ??= { widget_id: Number(id) }
  if (window.FreshworksWidget) return
  const early: Window['FreshworksWidget'] = (...args) => early?.q?.push(args)
  early.q = []
  window.FreshworksWidget = early
}

/** The help desk that the tenant named in its settings, instead of our ticket form. */
export function HelpDesk({ address }: { address: string }) {
  prepareFreshdesk(address)
  useThirdPartyScript('help-desk', address)
  return null
}
