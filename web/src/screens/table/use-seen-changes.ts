import { useLocalStorage } from '@mantine/hooks'

const MOST = 50

/** The changes whose end the user has seen, in this browser. */
export function useSeenChanges() {
  const [seen, setSeen] = useLocalStorage<readonly string[]>({ key: 'dishboard:seen-changes', defaultValue: [] })
  const markSeen = (id: string) => setSeen((before) => (before.includes(id) ? before : [...before.slice(1 - MOST), id]))
  return { seen, markSeen }
}
