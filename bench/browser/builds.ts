/** The selectors and probes of one build, so that the same steps run on both. */
export interface Build {
  tokens?: { access: string; refresh: string }
  listUrl: string
  /** The path of the response with the terminals. */
  listPath: string
  tableUrl: string | undefined
  rows: string
  search: string
  /** The keys that open the palette, its field, and an expression for its results. */
  palette?: { keys: string; search: string; found: string }
  offline: string
  map: string
  /** Expressions for the page: terminals in list and map, number of markers, text of the table's first row. */
  shown: string
  markers: string
  openTable: string | undefined
  sort: string
  firstRow: string
}

export const buildOurs = (url: string, tenant: string, tokens: { access: string; refresh: string }): Build => ({
  tokens,
  listUrl: `${url}/dashboard?tenant=${tenant}`,
  listPath: '/api/terminals/',
  tableUrl: `${url}/terminaltable?tenant=${tenant}`,
  rows: 'ul[aria-label="Terminals"] a',
  search: 'input[type=search]',
  palette: {
    keys: 'Control+k',
    search: '[role=dialog] [role=combobox]',
    found: `document.querySelector('[role=dialog] [role=listbox]')?.textContent`,
  },
  offline: 'fieldset button:nth-of-type(2)',
  map: '[role=application]',
  shown: `[
    document.querySelector('ul[aria-label="Terminals"] li[aria-setsize]')?.getAttribute('aria-setsize'),
    document.querySelector('[role=application]').dataset.markers
  ].reduce((listed, drawn) => (listed === drawn ? listed : undefined))`,
  markers: `document.querySelector('[role=application]')?.dataset.markers`,
  openTable: undefined,
  sort: 'thead th:nth-child(16) button',
  firstRow: `document.querySelector('tbody tr[data-opens] th')?.textContent`,
})

export const baselineAt = (url: string): Build => ({
  listUrl: url,
  listPath: '/terminals',
  tableUrl: undefined,
  rows: '#list li',
  search: '#search',
  offline: '#offline',
  map: '#map',
  shown: 'document.body.dataset.shown',
  markers: `document.querySelectorAll('.leaflet-marker-icon').length`,
  openTable: '#table',
  sort: 'button[data-key=latency]',
  firstRow: `document.querySelector('tbody td')?.textContent`,
})
