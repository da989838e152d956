import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Pool, plans } from '#contract/plans.ts'
import { call } from '../../api.ts'
import { type PoolForm, toCreatePool, toUpdatePool } from './pool-form.ts'

const closeAfterMs = 3000
const errorShownMs = 5000

const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** Saves a form. A retry of the same form sends the same key, so that no bucket is bought twice. */
export function useSavePool(pool: Pool | undefined, onDone: () => void) {
  const sent = useRef({ body: '', key: '' })
  const [message, setMessage] = useState<'saved' | 'failed'>()
  const save = useMutation({
    mutationFn: (form: PoolForm) => {
      const getIdempotencyKey = (details: object) => {
        const body = JSON.stringify(details)
        if (sent.current.body !== body) sent.current = { body, key: randomKey() }
        return sent.current.key
      }
      if (pool) {
        const details = toUpdatePool(form, pool)
        return call(plans.update, { pool_details: details }, undefined, getIdempotencyKey(details))
      }
      const details = toCreatePool(form)
      return call(plans.create, { pool_details: details }, undefined, getIdempotencyKey(details))
    },
    onMutate: () => setMessage(undefined),
    onSuccess: () => setMessage('saved'),
    onError: (error) => {
      console.warn('The pool was not saved:', error)
      setMessage('failed')
    },
  })
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    if (message === undefined) return
    const timer =
      message === 'saved'
        ? setTimeout(() => done.current(), closeAfterMs)
        : setTimeout(() => setMessage(undefined), errorShownMs)
    return () => clearTimeout(timer)
  }, [message])
  return { save: save.mutate, isPending: save.isPending, wasSaved: save.isSuccess, message, error: save.error }
}
