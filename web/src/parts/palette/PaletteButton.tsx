import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, useCallback, useRef, useState } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import { TypeAhead } from './TypeAhead.tsx'

const Palette = lazy(() => importWithRetry(() => import('./Palette.tsx')).then((it) => ({ default: it.Palette })))

/** Opens the palette; so do Ctrl K everywhere and the slash on pages without a search box. */
export function PaletteButton() {
  const [opened, { open, close: hide }] = useDisclosure(false)
  const typed = useRef('')
  const [isReady, setReady] = useState(false)
  const close = useCallback(() => {
    typed.current = ''
    setReady(false)
    hide()
  }, [hide])
  const onReady = useCallback(() => setReady(true), [])
  // Also in text boxes.
  useHotkeys([['mod+K', open]], [])
  useHotkeys([
    [
      '/',
      // Deferred, because the page's search box may handle this event after us.
      (event) => setTimeout(() => event.defaultPrevented || open()),
      { preventDefault: false },
    ],
  ])
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="var(--touch)"
        visibleFrom="xs"
        aria-label="Find"
        title="Find (Ctrl K)"
        onClick={open}
      >
        <SearchIcon />
      </ActionIcon>
      {opened && !isReady && <TypeAhead typed={typed} onEscape={close} />}
      <WhenOpened opened={opened}>
        <Palette opened={opened} typed={typed} onReady={onReady} onClose={close} />
      </WhenOpened>
    </>
  )
}
