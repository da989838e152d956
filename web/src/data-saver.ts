import { useSyncExternalStore } from 'react'
import { isSlow, measureKbps } from './link-speed.ts'

export type DataSaver =
  | { isOn: false }
  /** `browser`: the browser's own data saver is on. */
  | { isOn: true; reason: 'chosen' | 'browser' | 'slow' }

const storageKey = 'dataSaver'

interface Connection extends EventTarget {
  saveData?: boolean
  effectiveType?: string
}

/** Not supported by every browser. */
const findConnection = () => (navigator as { connection?: Connection }).connection

const off: DataSaver = { isOn: false }
// Once it turns on automatically it stays on for this page, which would otherwise change while it is used.
let automatic: DataSaver = off
let chosen: DataSaver | undefined

// Cached files say nothing about the link, and every terminal opens in its own tab.
const slowLinkKey = 'slowLinkAt'
const rememberedMs = 60 * 60_000

const rememberLink = (isSlowLink: boolean) =>
  isSlowLink ? localStorage.setItem(slowLinkKey, String(Date.now())) : localStorage.removeItem(slowLinkKey)

const isRememberedSlow = () => Date.now() - Number(localStorage.getItem(slowLinkKey)) < rememberedMs

function judgeLink(): DataSaver {
  const { saveData, effectiveType = '' } = findConnection() ?? {}
  if (saveData) return { isOn: true, reason: 'browser' }
  const kbps = measureKbps(performance.getEntriesByType('resource') as PerformanceResourceTiming[])
  if (kbps !== undefined) rememberLink(isSlow(kbps))
  const slow = isRememberedSlow() || (kbps === undefined && ['slow-2g', '2g'].includes(effectiveType))
  return slow ? { isOn: true, reason: 'slow' } : off
}

const readChoice = (): DataSaver | undefined => {
  const choice = localStorage.getItem(storageKey)
  if (choice === null) return undefined
  if (choice !== 'on') return off
  // The same object each time, as React expects.
  return chosen?.isOn ? chosen : { isOn: true, reason: 'chosen' }
}

/** Whether the page saves data: no map until the user requests it, coarser charts, no preloading. */
export function getDataSaver(): DataSaver {
  chosen = readChoice()
  return chosen ?? automatic
}

const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

function judgeAgain() {
  if (!automatic.isOn) automatic = judgeLink()
  notifyListeners()
}

/** Measures the link by what the page itself has loaded, and again when loading ends or the link changes. */
export function watchLink() {
  judgeAgain()
  addEventListener('load', judgeAgain)
  findConnection()?.addEventListener('change', judgeAgain)
}

/** Stored in this browser. */
export function chooseDataSaver(isOn: boolean) {
  localStorage.setItem(storageKey, isOn ? 'on' : 'off')
  notifyListeners()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useDataSaver = () => useSyncExternalStore(subscribe, getDataSaver)
