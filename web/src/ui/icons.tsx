import type { ReactNode } from 'react'

const Icon = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 20 20"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
)

export const MinusIcon = () => (
  <Icon>
    <path d="M4 10h12" />
  </Icon>
)

export const ExpandIcon = () => (
  <Icon>
    <path d="M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </Icon>
)

export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M4.7 15.3 6 14M14 6l1.3-1.3" />
  </Icon>
)

export const MoonIcon = () => (
  <Icon>
    <path d="M16.5 11.6A6.7 6.7 0 0 1 8.4 3.5a6.7 6.7 0 1 0 8.1 8.1Z" />
  </Icon>
)

export const AlertIcon = () => (
  <Icon>
    <path d="M10 3 18 16.5H2Z" />
    <path d="M10 8v4M10 14.2v.1" />
  </Icon>
)

export const PhoneIcon = () => (
  <Icon>
    <path d="M4 3.5h3l1.5 4-2 1.5a11 11 0 0 0 4.5 4.5l1.5-2 4 1.5v3c0 .6-.4 1-1 1C8.8 17 3 11.2 3 4.5c0-.6.4-1 1-1Z" />
  </Icon>
)

export const MailIcon = () => (
  <Icon>
    <rect x="2.5" y="4.5" width="15" height="11" rx="1.5" />
    <path d="m3 6 7 5 7-5" />
  </Icon>
)

export const TicketIcon = () => (
  <Icon>
    <path d="M3 5.5h14v3a1.6 1.6 0 0 0 0 3v3H3v-3a1.6 1.6 0 0 0 0-3Z" />
    <path d="M12.5 6v1.5M12.5 9.3v1.5M12.5 12.5V14" />
  </Icon>
)

export const ChatIcon = () => (
  <Icon>
    <path d="M3 4.5h14v9.5H9l-4 3.2V14H3Z" />
    <path d="M6.5 8h7M6.5 10.8h4.5" />
  </Icon>
)

export const OutsideIcon = () => (
  <Icon>
    <path d="M8 4.5H4.5v11h11V12M11.5 4.5h4v4M15.2 4.8 9.5 10.5" />
  </Icon>
)

export const CloseIcon = () => (
  <Icon>
    <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
  </Icon>
)

export const SendIcon = () => (
  <Icon>
    <path d="M3.5 10 16.5 4l-4 12.5-3-5Z" />
    <path d="m9.5 11.5 3-3" />
  </Icon>
)

export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9" height="9" rx="1.5" />
    <path d="M13 4.5H5.5c-.6 0-1 .4-1 1V13" />
  </Icon>
)

export const UpIcon = () => (
  <Icon>
    <path d="m5 12 5-5 5 5" />
  </Icon>
)

export const DownIcon = () => (
  <Icon>
    <path d="m5 8 5 5 5-5" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon>
    <path d="m4.5 10.5 4 4 7-8.5" />
  </Icon>
)

export const PencilIcon = () => (
  <Icon>
    <path d="M4 16v-3l9-9 3 3-9 9Z" />
  </Icon>
)
