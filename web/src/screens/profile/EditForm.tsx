import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Profile, profile } from '#contract/profile.ts'
import { call, getErrorMessage } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { notice } from '../../ui/notice.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { profileQuery } from './profile.ts'

type Fields = Pick<Profile, 'customerName' | 'company'>

const required = 'This field is required.'

export function EditForm({ known }: { known: Fields }) {
  const queries = useQueryClient()
  const [errors, setErrors] = useState<Partial<Fields>>({})
  const edit = useMutation({
    mutationFn: (fields: Fields) => call(profile.edit, fields),
    onSuccess: async () => {
      notice.success('Your profile has been succesfully edited.')
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => {
      console.warn('The profile was not edited:', error)
      notice.error(getErrorMessage(error))
    },
  })
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as unknown as Fields
    const empty = (['customerName', 'company'] as const).filter((name) => fields[name].trim() === '')
    setErrors(Object.fromEntries(empty.map((name) => [name, required])))
    if (empty[0]) return (form.elements.namedItem(empty[0]) as HTMLElement).focus()
    edit.mutate(fields)
  }
  const field = (name: keyof Fields) => ({
    name,
    defaultValue: known[name],
    error: errors[name],
    required: true,
    withAsterisk: false,
    maxLength: 200,
    className: classes.input,
  })
  return (
    <Card title="Profile">
      <form onSubmit={save} noValidate>
        <TextInput {...field('customerName')} label="Customer Name" autoComplete="name" mb="sm" />
        <TextInput {...field('company')} label="Company" autoComplete="organization" mb="md" />
        <Button type="submit" h="var(--touch)" loading={edit.isPending}>
          Edit your profile
        </Button>
      </form>
    </Card>
  )
}
