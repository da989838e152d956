import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { route } from './route.ts'
import { LineKey, lineText, ServiceLineNumber } from './service-lines.ts'
import { SnowMeltMode } from './snow-melt.ts'
import { choice, requiredText } from './text.ts'

const IpPolicy = choice(['default', 'public ip'])
export type IpPolicy = z.output<typeof IpPolicy>

/** Automatic top up. */
const OptIn = choice(['opt in', 'opt out'])
export type OptIn = z.output<typeof OptIn>

/** A device that must belong to the line in the path. */
const TerminalId = requiredText(100)

export const commands = {
  setIpPolicy: route({
    method: 'PATCH',
    path: '/update-service-line-ip-policy/:nickname/',
    access: { item: 'terminal_control' },
    summary: 'Give a service line a public address, or take it back',
    input: z.strictObject({ nickname: LineKey, ip_policy: IpPolicy, sl: ServiceLineNumber }),
    output: z.object({ ip_policy: IpPolicy }),
    isIdempotentByKey: true,
  }),
  setOptIn: route({
    method: 'PATCH',
    path: '/update-service-line-opt-in/:nickname/',
    access: { item: 'terminal_control' },
    summary: 'Switch a service line’s automatic top up',
    input: z.strictObject({ nickname: LineKey, opt_in: OptIn, sl: ServiceLineNumber }),
    output: z.object({ opt_in: OptIn }),
    isIdempotentByKey: true,
  }),
  rename: route({
    method: 'PATCH',
    path: '/update-service-line-custom-name/:nickname/',
    access: { item: 'rename_terminal' },
    summary: 'Give a service line a name of the customer’s own',
    input: z.strictObject({ nickname: LineKey, customname: lineText(100), sl: z.optional(ServiceLineNumber) }),
    output: z.object({ customname: z.nullable(z.string()) }),
  }),
  reboot: route({
    method: 'PATCH',
    path: '/reboot-terminal/:nickname/',
    access: { item: 'terminal_control' },
    summary: 'Restart a terminal',
    input: z.strictObject({ nickname: LineKey, terminal_id: TerminalId }),
    output: Done,
    isIdempotentByKey: true,
  }),
  setSnowMelt: route({
    method: 'PATCH',
    path: '/update-terminal-snow-melt-mode/:nickname/',
    access: { item: 'terminal_control' },
    summary: 'Choose when a terminal melts snow',
    input: z.strictObject({ nickname: LineKey, snowMeltMode: SnowMeltMode, terminal_id: TerminalId }),
    output: z.object({ snowMeltMode: SnowMeltMode }),
    isIdempotentByKey: true,
  }),
}
