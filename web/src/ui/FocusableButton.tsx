import type { ComponentProps, MouseEvent } from 'react'

const ignoreClick = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * What every button of the library is made of. A disabled one can be focused: the browser would take the focus from a
 * button that is disabled while it works, and who uses the keyboard would lose their place.
 */
export function FocusableButton({ disabled, onClick, type = 'button', ...others }: ComponentProps<'button'>) {
  return (
    <button {...others} type={type} aria-disabled={disabled || undefined} onClick={disabled ? ignoreClick : onClick} />
  )
}
