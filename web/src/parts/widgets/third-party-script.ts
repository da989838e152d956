import { useEffect } from 'react'

export type Widget = 'help-desk' | 'chatbot'

const loaded = new Set<string>()

/** Whose elements appear now: the widget that was shown last. */
let current: Widget | undefined

const isOurs = (element: Element) => element.matches('#root, [data-portal], script, style, link')

/** Widgets hang themselves into the page and know nothing of our routes, so we note whose an element is. */
function watchBody() {
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof HTMLElement && !isOurs(node) && current) node.dataset.widget ??= current
  }).observe(document.body, { childList: true })
}

function load(address: string) {
  if (loaded.size === 0) watchBody()
  if (loaded.has(address)) return
  loaded.add(address)
  const script = document.createElement('script')
  script.src = address
  script.async = true
  script.onerror = () => console.warn('A widget of this portal could not be loaded:', address)
  document.body.append(script)
}

/** Loads a script that the tenant brought, once, and shows what it draws while this is on the page. */
export function useThirdPartyScript(widget: Widget, address: string) {
  useEffect(() => {
    current = widget
    document.body.dataset.shows = widget
    load(address)
    return () => {
      if (document.body.dataset.shows === widget) delete document.body.dataset.shows
    }
  }, [widget, address])
}
