import { type ApiCall, decodePathSegment } from './call.ts'
import { assignConfig, optIn, optOut, reboot, setNickname, setPublicIp, topUp } from './commands.ts'
import {
  getAccount,
  getRouter,
  getServiceLine,
  listAddresses,
  listProducts,
  listServiceLines,
  listUserTerminals,
  queryTelemetry,
  queryUsage,
} from './reads.ts'
import type { ApiResponse } from './response.ts'
import { streamTelemetry } from './streaming.ts'

type Handler = (call: ApiCall) => ApiResponse | Promise<ApiResponse>

export const API: readonly { method: string; path: string; handle: Handler }[] = [
  { method: 'GET', path: '/account', handle: getAccount },
  { method: 'GET', path: '/addresses', handle: listAddresses },
  { method: 'GET', path: '/products', handle: listProducts },
  { method: 'GET', path: '/service-lines', handle: listServiceLines },
  { method: 'GET', path: '/service-lines/:serviceLineNumber', handle: getServiceLine },
  { method: 'PUT', path: '/service-lines/:serviceLineNumber/nickname', handle: setNickname },
  { method: 'PUT', path: '/service-lines/:serviceLineNumber/public-ip', handle: setPublicIp },
  { method: 'POST', path: '/service-lines/:serviceLineNumber/data/opt-in', handle: optIn },
  { method: 'POST', path: '/service-lines/:serviceLineNumber/data/opt-out', handle: optOut },
  { method: 'POST', path: '/service-lines/:serviceLineNumber/data/top-up', handle: topUp },
  { method: 'GET', path: '/user-terminals', handle: listUserTerminals },
  { method: 'PUT', path: '/user-terminals/configs/assign', handle: assignConfig },
  { method: 'POST', path: '/user-terminals/:deviceId/reboot', handle: reboot },
  { method: 'GET', path: '/routers/:routerId', handle: getRouter },
  { method: 'POST', path: '/data-usage/query', handle: queryUsage },
  { method: 'POST', path: '/telemetry/stream', handle: streamTelemetry },
  { method: 'POST', path: '/telemetry/query', handle: queryTelemetry },
]

const ROUTES = API.map(({ method, path, handle }) => ({
  method,
  handle,
  pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

export const findCall = (method: string, path: string) => {
  for (const route of ROUTES) {
    const match = route.method === method ? route.pattern.exec(path) : null
    if (!match) continue
    const params: Record<string, string> = {}
    for (const [name, value] of Object.entries(match.groups ?? {})) params[name] = decodePathSegment(value)
    return { handle: route.handle, params }
  }
  return null
}
