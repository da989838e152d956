import type { ComponentProps, MouseEvent } from 'react'

const ignoreClick = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * The base of every Mantine button. It stays focusable when disabled: the browser would move the focus away from a
 * button that is disabled while it works, and keyboard users would lose their place.
 */
export function FocusableButton({ disabled, onClick, type = 'button', ...others }: ComponentProps<'button'>) {
  return (
    <button {...others} type={type} aria-disabled={disabled || undefined} onClick={disabled ? ignoreClick : onClick} />
  )
}
