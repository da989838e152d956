import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Person } from '#contract/identity.ts'
import { logOut } from '../../session.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import classes from './Shell.module.css'

export function PersonMenu({ person }: { person: Person }) {
  const [asking, { open, close }] = useDisclosure(false)
  const name = person.customerName || person.email
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <UnstyledButton className={classes.person} aria-label={`${name}, account`}>
            <Avatar color="accent" size={32} variant="filled" aria-hidden="true">
              <span className={classes.initials} data-initials={initialsOf(name)} />
            </Avatar>
            <span className={classes.personName}>{name}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{person.email}</Menu.Label>
          <Menu.Item component={Link} to="/profile">
            Profile
          </Menu.Item>
          <Menu.Item onClick={open}>Log Out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LogOutQuestion opened={asking} onClose={close} />
    </>
  )
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

function LogOutQuestion({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    await navigate({ to: '/' })
    await logOut()
  }
  return (
    <QuestionDialog
      title="Log Out"
      action="Log Out"
      opened={opened}
      pending={pending}
      onConfirm={confirm}
      onClose={onClose}
    >
      Are you sure you want to log out?
    </QuestionDialog>
  )
}
