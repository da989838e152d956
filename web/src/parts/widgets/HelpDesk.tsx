import { useThirdPartyScript } from './third-party-script.ts'

declare global {
  interface Window {
    fwSettings?: { widget_id: number }
    FreshworksWidget?: { (...args: unknown[]): void; q?: unknown[][] }
  }
}

/** Freshdesk's widget reads its id and the calls made before it was loaded from these globals. */
function prepareFreshdesk(address: string) {
  const id = /\/(\d+)\.js$/.exec(address.split(/[?#]/, 1)[0] as string)?.[1]
  if (id) window.fwSettings ??= { widget_id: Number(id) }
  if (window.FreshworksWidget) return
  const queue: Window['FreshworksWidget'] = (...args) => queue?.q?.push(args)
  queue.q = []
  window.FreshworksWidget = queue
}

/** The help desk from the tenant's settings, instead of the ticket form. */
export function HelpDesk({ address }: { address: string }) {
  prepareFreshdesk(address)
  useThirdPartyScript('help-desk', address)
  return null
}
