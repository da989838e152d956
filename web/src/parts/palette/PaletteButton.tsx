import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, useCallback, useRef } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import { TypeAhead } from './TypeAhead.tsx'

const Palette = lazy(() => importWithRetry(() => import('./Palette.tsx')).then((it) => ({ default: it.Palette })))

/** Opens the palette; so do Ctrl K everywhere and the slash on pages without a search box. */
export function PaletteButton() {
  const [opened, { open, close: hide }] = useDisclosure(false)
  const typed = useRef('')
  const close = useCallback(() => {
    typed.current = ''
    hide()
  }, [hide])
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
      <WhenOpened opened={opened} fallback={opened && <TypeAhead typed={typed} onEscape={close} />}>
        <Palette opened={opened} typed={typed} onClose={close} />
      </WhenOpened>
    </>
  )
}
