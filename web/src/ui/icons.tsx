import {
  type Icon,
  IconAlertTriangle,
  IconBell,
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconExternalLink,
  IconHistory,
  IconMail,
  IconMaximize,
  IconMenu2,
  IconMessage,
  IconMinus,
  IconMoon,
  IconPencil,
  IconPhone,
  IconPlus,
  IconSearch,
  IconSend,
  IconSortDescending,
  IconSun,
  IconTicket,
  IconX,
} from '@tabler/icons-react'

/** The size and weight of every icon. It is decorative: the control around it has the accessible name. */
const withAppStyle = (TablerIcon: Icon) => () => <TablerIcon size={18} stroke={1.9} aria-hidden="true" />

export const AlertIcon = withAppStyle(IconAlertTriangle)
export const BellIcon = withAppStyle(IconBell)
export const BookmarkIcon = withAppStyle(IconBookmark)
export const ChatIcon = withAppStyle(IconMessage)
export const CheckIcon = withAppStyle(IconCheck)
export const CloseIcon = withAppStyle(IconX)
export const CopyIcon = withAppStyle(IconCopy)
export const DownloadIcon = withAppStyle(IconDownload)
export const DownIcon = withAppStyle(IconChevronDown)
export const ExpandIcon = withAppStyle(IconMaximize)
export const ExternalLinkIcon = withAppStyle(IconExternalLink)
export const HistoryIcon = withAppStyle(IconHistory)
export const MailIcon = withAppStyle(IconMail)
export const MenuIcon = withAppStyle(IconMenu2)
export const MinusIcon = withAppStyle(IconMinus)
export const MoonIcon = withAppStyle(IconMoon)
export const NextIcon = withAppStyle(IconChevronRight)
export const PencilIcon = withAppStyle(IconPencil)
export const PhoneIcon = withAppStyle(IconPhone)
export const PlusIcon = withAppStyle(IconPlus)
export const SearchIcon = withAppStyle(IconSearch)
export const SendIcon = withAppStyle(IconSend)
export const SortIcon = withAppStyle(IconSortDescending)
export const SunIcon = withAppStyle(IconSun)
export const TicketIcon = withAppStyle(IconTicket)
export const UpIcon = withAppStyle(IconChevronUp)
