import { useLocalStorage } from '@mantine/hooks'

const MOST = 50

/** The changes whose result the user has seen, in this browser. */
export function useSeenChanges() {
  const [seen, setSeen] = useLocalStorage<readonly string[]>({
    key: 'dishboard:seen-changes',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const markSeen = (id: string) => setSeen([...seen.slice(1 - MOST), id])
  return { seen, markSeen }
}
