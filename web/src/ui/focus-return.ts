import { useEffect, useRef } from 'react'

/**
 * For a control that is disabled while it saves: a disabled control loses the focus. Keyboard users get it back, unless
 * they have moved on.
 */
export function useFocusReturn<Control extends HTMLElement>(isSaving: boolean) {
  const control = useRef<Control>(null)
  const wasSaving = useRef(false)
  useEffect(() => {
    if (wasSaving.current && !isSaving && document.activeElement === document.body) control.current?.focus()
    wasSaving.current = isSaving
  }, [isSaving])
  return control
}
