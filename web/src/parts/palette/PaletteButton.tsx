import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'

const Palette = lazy(() => importWithRetry(() => import('./Palette.tsx')).then((it) => ({ default: it.Palette })))

/** Opens the palette, like Ctrl K everywhere and the slash on pages without a search box of their own. */
export function PaletteButton() {
  const [opened, { open, close }] = useDisclosure(false)
  // In text boxes too.
  useHotkeys([['mod+K', open]], [])
  useHotkeys([
    [
      '/',
      // Later, because the search box of the page may handle this event after us.
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
      <WhenOpened opened={opened}>
        <Palette opened={opened} onClose={close} />
      </WhenOpened>
    </>
  )
}
