import { useEffect } from 'react'
import './widgets.css'

export type Widget = 'help-desk' | 'chatbot'

const loaded = new Set<string>()

/** The widget shown last; elements added to the page belong to it. */
let current: Widget | undefined

const isOurs = (element: Element) => element.matches('#root, [data-portal], script, style, link')

/** Widgets add elements to the page regardless of our routes, so each element is labeled with its widget. */
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

/** Loads a script of the tenant once, and shows its elements while this is mounted. */
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
