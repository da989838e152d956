import type { TenantConfig } from '#contract/tenants.ts'
import type { GroupRule } from '#server/vendor/store-lines.ts'
import { demoFaq } from './faq.ts'

export interface DemoTenant {
  id: string
  hosts: string[]
  config: TenantConfig
  faq?: { question: string; answer: string; keywords: string[] }[]
  /** This tenant's share of the simulated fleet. */
  share: number
}

/** How long ago the tenants of a new demo were created. */
export const TENANT_AGE_MS = 45 * 86_400_000

/** Four resellers; the last has no configuration, so its visitors are redirected to the marketing page. */
export const demoTenants: DemoTenant[] = [
  {
    id: 'dishboard',
    hosts: ['dishboard.localhost'],
    share: 1,
    config: {
      company_name: 'Dishboard',
      support_phone: '+1 907 555 0100',
      support_email: 'support@dishboard.example',
      homepageImageCount: 3,
      chatbotEnabled: true,
      ticket: 'email',
      colors: { primary: '#0f766e' },
    },
    faq: demoFaq,
  },
  {
    id: 'microcom',
    hosts: ['microcom.localhost'],
    share: 0.5,
    config: {
      company_name: 'Microcom',
      support_phone: '+1 907 555 0140',
      support_email: 'support@microcom.example',
      homepageImageCount: 1,
      chatbotEnabled: true,
      ticket: 'email',
      colors: { primary: '#1d4ed8' },
      images: {
        logo: 'logo.svg',
        navbar: 'navbar.svg',
        homepage1: 'home-1.svg',
        homepage2: 'home-2.svg',
        favicon: 'favicon.svg',
      },
    },
    faq: demoFaq,
  },
  {
    id: 'company3',
    hosts: ['company3.localhost'],
    share: 0.25,
    config: {
      company_name: 'Company Three',
      support_phone: '+1 907 555 0170',
      support_email: 'help@company3.example',
      homepageImageCount: 3,
      ticket: 'freshdesk',
      freshdesk_script: '/demo/help-desk.js',
      colors: { primary: '#b45309' },
      images: {
        logo: 'logo.svg',
        navbar: 'navbar.svg',
        homepage1: 'home-1.svg',
        homepage2: 'home-2.svg',
        homepage3: 'home-3.svg',
        favicon: 'favicon.svg',
      },
    },
  },
  { id: 'another_tenant', hosts: ['another-tenant.localhost'], share: 0, config: {} },
]

/** The customers of each reseller, by the group of their lines. */
const CUSTOMERS = { staff: '', north: 'Northern Villages Cooperative', south: 'Gulf Coast Harbors' } as const

export interface DemoUser {
  /** The part of the address before the @. */
  name: string
  fullName: string
  password: string
  role: 'admin' | 'user'
  group: keyof typeof CUSTOMERS
  /** Empty for the reseller's staff. */
  company: string
  otp: boolean
  isNew: boolean
}

/** For every user except the administrator. */
export const USER_PASSWORD = 'User-demo-1'

const user = (
  name: string,
  fullName: string,
  group: 'north' | 'south',
  more: { otp?: boolean; isNew?: boolean } = {},
): DemoUser => ({
  name,
  fullName,
  group,
  password: USER_PASSWORD,
  role: 'user',
  company: CUSTOMERS[group],
  otp: more.otp ?? false,
  isNew: more.isNew ?? false,
})

/** The users to sign in as, the same for each reseller. */
export const demoUsers: DemoUser[] = [
  {
    name: 'admin',
    fullName: 'Dana Whitfield',
    password: 'Admin-demo-1',
    role: 'admin',
    group: 'staff',
    company: '',
    otp: false,
    isNew: false,
  },
  user('user', 'Tom Attla', 'north'),
  user('south', 'Rosa Kaminski', 'south'),
  user('otp', 'Ben Okada', 'north', { otp: true }),
  user('new', 'Sara Lind', 'north', { isNew: true }),
]

/** Two customers share each reseller's lines, split by the last digit of the line number. */
export const chooseDemoGroup: GroupRule = ({ serviceLineNumber }) =>
  Number.parseInt(serviceLineNumber.at(-1) ?? '0', 36) % 2 === 0 ? 'north' : 'south'
