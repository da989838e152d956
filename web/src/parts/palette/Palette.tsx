import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { StatusMark } from '../StatusMark.tsx'
import { toViewAddress } from '../views/view-state.ts'
import { listEntries, type PaletteEntry, type Target } from './entries.ts'
import classes from './Palette.module.css'
import { useSources } from './use-sources.ts'

const placeholder = 'Find terminals, people, pools, pages and actions'

interface PaletteProps {
  opened: boolean
  /** What was typed before the palette was ready. */
  typed: RefObject<string>
  /** The palette has the focus and receives the keys. */
  onReady: () => void
  onClose: () => void
}

/** A command palette that searches everything, available on every page. */
export function Palette(props: PaletteProps) {
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size={640}
      yOffset="10vh"
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Find">
        <Modal.Body p={0}>
          <PaletteBody {...props} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ opened, typed, onReady, onClose }: PaletteProps) {
  const [search, setSearch] = useState('')
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (!opened) return
    // The dialog would set the focus later, and the keys until then would be lost.
    box.current?.focus()
    setSearch(typed.current)
    onReady()
  }, [opened, typed, onReady])
  // Deferred, so that typing stays fast in a large fleet.
  const deferred = useDeferredValue(search)
  const { sources, terminalState, isStale } = useSources(deferred)
  const entries = useMemo(() => listEntries(deferred, sources), [deferred, sources])
  const [chosen, setChosen] = useState(0)
  const current = Math.min(chosen, entries.length - 1)
  const id = useId()
  const open = useOpenTarget()

  const type = (text: string) => {
    setSearch(text)
    setChosen(0)
  }
  const pick = ({ target }: PaletteEntry) => {
    if (target.kind === 'search') return type(target.search)
    onClose()
    open(target)
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      const next = (current + step + entries.length) % entries.length
      setChosen(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    // Avoids opening a result of an earlier text.
    if (event.key === 'Enter' && search === deferred && entries[current]) pick(entries[current])
  }

  return (
    <>
      <div className={classes.box}>
        <SearchIcon />
        <input
          ref={box}
          className={classes.input}
          value={search}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
          placeholder={placeholder}
          role="combobox"
          aria-label={placeholder}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </div>
      <div id={id} role="listbox" aria-label="Found" className={classes.list} data-stale={isStale || undefined}>
        {groupEntries(entries).map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div key={group} role="group" aria-label={group}>
            <div className={classes.group} aria-hidden="true">
              {group}
            </div>
            {members.map(({ entry, at }) => (
              <Option
                key={at}
                id={`${id}-${at}`}
                entry={entry}
                isChosen={at === current}
                onChoose={() => setChosen(at)}
                onPick={() => pick(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {deferred.trim() !== '' && terminalState !== 'success' && (
        <p className={classes.empty} role="status">
          {terminalState === 'error' ? 'The terminals could not be loaded.' : 'Loading terminals...'}
        </p>
      )}
      {terminalState === 'success' && entries.length === 0 && <p className={classes.empty}>Nothing found.</p>}
      <p className={classes.keys} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </p>
    </>
  )
}

interface OptionProps {
  id: string
  entry: PaletteEntry
  isChosen: boolean
  onChoose: () => void
  onPick: () => void
}

function Option({ id, entry: { label, about, status }, isChosen, onChoose, onPick }: OptionProps) {
  return (
    // The focus stays in the text box, which handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    // biome-ignore lint/a11y/useFocusableInteractive: see above.
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.option}
      onPointerMove={onChoose}
      onClick={onPick}
    >
      <span className={classes.label}>{label}</span>
      {about && <span className={classes.about}>{about}</span>}
      {status && <StatusMark status={status} />}
    </div>
  )
}

/** Entries are numbered across groups. */
function groupEntries(entries: readonly PaletteEntry[]) {
  const positioned = entries.map((entry, at) => ({ entry, at }))
  return [...Map.groupBy(positioned, ({ entry }) => entry.group)].map(([group, members]) => ({ group, members }))
}

function useOpenTarget() {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (target: Exclude<Target, { kind: 'search' }>) => {
    switch (target.kind) {
      case 'terminal':
        return void navigate({
          to: '/terminal/$kitnumber',
          params: { kitnumber: target.terminal.nickname },
          ...(target.asks && { state: { asks: target.asks } }),
        })
      case 'fleet':
        return void navigate({ to: '/dashboard', search: { q: target.search } })
      case 'view':
        return void navigate(toViewAddress(target.view))
      case 'user':
        return void navigate({ to: '/admin-page', search: { q: target.email } })
      case 'pool':
        return void navigate({ to: '/plan-manager', search: { pool: target.id } })
      case 'page':
        return void navigate({ to: target.path })
      case 'color scheme':
        return setColorScheme(isDark ? 'light' : 'dark')
    }
  }
}
