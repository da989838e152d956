import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { launchOptions } from '#e2e/browser.ts'
import type { Figure } from './figures.ts'
import { findMedian } from './median.ts'

const rounds = 7

const page = fileURLToPath(new URL('../web/bench', import.meta.url))
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the built page on loopback, because browsers do not load modules from files. */
const serve = async (folder: string) => {
  const server = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : normalize(url)
    response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream')
    createReadStream(join(folder, name))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const timeToPaint = (browserPage: Page, name: string): Promise<number> =>
  browserPage.evaluate((contender) => (globalThis as unknown as Bench).timeToPaint(contender), name)

interface Bench {
  timeToPaint: (name: string) => Promise<number>
}

/**
 * The time from data to painted charts for six charts of 1,000 points: ours and Recharts, alternating on one page.
 */
export const measureCharts = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-charts-'))
  await build({
    configFile: false,
    root: page,
    plugins: [react()],
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
  })
  const server = await serve(folder)
  const browser = await chromium.launch(launchOptions)
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await tab.waitForFunction(() => 'timeToPaint' in globalThis)
    const first = { ours: await timeToPaint(tab, 'ours'), recharts: await timeToPaint(tab, 'recharts') }
    const repeated = { ours: [] as number[], recharts: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      repeated.ours.push(await timeToPaint(tab, 'ours'))
      repeated.recharts.push(await timeToPaint(tab, 'recharts'))
    }
    const [ours, recharts] = [findMedian(repeated.ours), findMedian(repeated.recharts)]
    return [
      { name: 'six charts of 1,000 points, first render', value: first.ours, unit: 'ms' },
      { name: 'six charts of 1,000 points, repeated render', value: ours, unit: 'ms' },
      { name: 'Recharts, first render', value: first.recharts, unit: 'ms' },
      { name: 'Recharts, repeated render', value: recharts, unit: 'ms' },
      { name: 'as a share of Recharts', value: ours / recharts, unit: '', atMost: 0.5 },
    ]
  } finally {
    await browser.close()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
