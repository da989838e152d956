import { Input } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import classes from './CodeInput.module.css'

const DIGITS = 6
const boxes = Array.from({ length: DIGITS }, (_, index) => index)

/** What is typed or pasted after a whole code is another code, because the first was refused. */
const readCode = (text: string, before: string) => {
  const digits = text.replace(/\D/g, '')
  const isAnother = before.length === DIGITS && digits.startsWith(before)
  return (isAnother && digits.slice(DIGITS, 2 * DIGITS)) || digits.slice(0, DIGITS)
}

interface CodeInputProps {
  name: string
  label: string
  error: string | undefined
  autoFocus?: boolean
}

/**
 * A code of six digits, in six boxes that are drawn behind one input: screen readers, paste and autofill treat it like
 * any other. The sixth digit submits the form.
 */
export function CodeInput({ name, label, error, autoFocus }: CodeInputProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  useEffect(() => {
    if (code.length === DIGITS) input.current?.form?.requestSubmit()
  }, [code])
  return (
    <Input.Wrapper id={id} label={label} error={error} required withAsterisk={false} className={classes.root}>
      <div className={classes.group}>
        <div className={classes.boxes} aria-hidden>
          {boxes.map((box) => (
            <span
              key={box}
              data-error={error ? true : undefined}
              data-next={box === Math.min(code.length, DIGITS - 1) || undefined}
            />
          ))}
        </div>
        {/* No maxLength: it would cut off the last digit of a code that is pasted with a space. */}
        <input
          ref={input}
          id={id}
          name={name}
          className={classes.input}
          value={code}
          onChange={({ currentTarget }) => setCode(readCode(currentTarget.value, code))}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          // biome-ignore lint/a11y/noAutofocus: it is the only field of a form that has just replaced another.
          autoFocus={autoFocus}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
      </div>
    </Input.Wrapper>
  )
}
