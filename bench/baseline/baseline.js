// A literal implementation of the product spec: one DOM node per row, per cell and per marker. It uses no framework,
// which makes it faster than a typical implementation.
import * as L from '/leaflet/leaflet-src.esm.js'

const { data } = await (await fetch('/terminals')).json()
const terminals = data
  .map((item) => ({ ...item, alerts: JSON.parse(item.alerts), place: JSON.parse(item.coordinates ?? '[0,0]') }))
  .sort((a, b) => a.customname.localeCompare(b.customname, undefined, { numeric: true }))

const getStatus = ({ alerts, status }) => (alerts.some((name) => name.startsWith('disabled')) ? 'disabled' : status)

const map = L.map('map', { preferCanvas: false, worldCopyJump: true, zoomAnimation: false }).setView([64.2, -149.5], 4)
let markers = []
let shown = terminals
let filter = { q: '', status: undefined }

const escapeHtml = (text) =>
  String(text ?? '-')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

function drawList() {
  document.getElementById('list').innerHTML = shown
    .map(
      (item) =>
        `<li data-id="${item.id}"><a href="/terminal/${item.nickname}" target="_blank">${escapeHtml(item.customname)}</a>
        ${item.isMobile ? '<span>Mobile</span>' : ''} <span>${item.alerts.length || ''}</span>
        <span class="dot ${getStatus(item)}">&nbsp;</span><br>${escapeHtml(item.city)}, ${escapeHtml(item.state)}</li>`,
    )
    .join('')
}

function drawMarkers() {
  for (const marker of markers) marker.remove()
  const sizePx = Math.max(8, Math.min(40, 6 + 2 * map.getZoom()))
  markers = shown.map((item) =>
    L.marker(item.place, { icon: L.divIcon({ className: `dot ${getStatus(item)}`, iconSize: [sizePx, sizePx] }) })
      .bindPopup(`${escapeHtml(item.street)}, ${escapeHtml(item.city)}, ${escapeHtml(item.state)}`)
      .addTo(map),
  )
}

function show() {
  const wanted = filter.q.toLowerCase()
  shown = terminals.filter(
    (item) =>
      (!filter.status || getStatus(item) === filter.status) &&
      (!wanted || Object.values(item).some((value) => String(value).toLowerCase().includes(wanted))),
  )
  drawList()
  drawMarkers()
  // Includes the filter, because two searches can have the same number of results.
  document.body.dataset.shown = `${filter.q} ${filter.status} ${shown.length}`
}

document.getElementById('search').addEventListener('input', ({ target }) => {
  filter = { ...filter, q: target.value }
  show()
})
document.getElementById('offline').addEventListener('click', () => {
  filter = { ...filter, status: filter.status ? undefined : 'offline' }
  show()
})

let rows = []
let sort = { key: 'customname', descending: false }

function drawTable() {
  const keys = Object.keys(rows[0])
  const head = keys.map((key) => `<th><button type="button" data-key="${key}">${key}</button></th>`).join('')
  const body = rows.map((row) => `<tr>${keys.map((key) => `<td>${escapeHtml(row[key])}</td>`).join('')}</tr>`).join('')
  document.getElementById('rows').innerHTML = `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
  document.body.dataset.sorted = `${sort.key} ${sort.descending}`
}

document.getElementById('rows').addEventListener('click', ({ target }) => {
  const { key } = target.dataset
  if (!key) return
  sort = { key, descending: sort.key === key && !sort.descending }
  const turn = sort.descending ? -1 : 1
  rows.sort(
    (a, b) => turn * (typeof a[key] === 'number' ? a[key] - b[key] : String(a[key]).localeCompare(String(b[key]))),
  )
  drawTable()
})
document.getElementById('table').addEventListener('click', async () => {
  rows = (await (await fetch('/details')).json()).data
  document.querySelector('.panes').remove()
  drawTable()
})

show()
