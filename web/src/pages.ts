import { type AnyRoute, type AnyRouter, useMatches } from '@tanstack/react-router'
import type { PermissionItem } from './permissions.ts'

/** What each route declares about its page, next to its path and screen. Navbar, titles, guards and offers follow from it. */
export interface PageInfo {
  /** Before the name of the site in the title of the browser's tab. */
  title: string
  /** Who may open it. The server decides on its own what it returns to whom. */
  access: 'public' | 'user' | 'admin'
  /** Where other users are sent from an admin page. */
  deniedTo?: '/forbidden' | '/'
  /** Shown in the navbar under this name; an admin page to admins only. */
  navLabel?: string
  /** Shown in the navbar only to those who hold this permission. */
  navPermission?: PermissionItem
  /** Its name in "Continue to …"; otherwise that of the navbar, or the title. */
  continueLabel?: (params: Record<string, string>) => string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageInfo {}
}

// The router matches an unknown address as far as it can, and passes what is left over under this name.
const unmatchedParam = '**'

/** The page that is shown. For an unknown address this is the root's, which declares the not-found page. */
export const usePage = (): PageInfo =>
  useMatches({
    select: (matches) => {
      const last = matches.at(-1)
      return (last && unmatchedParam in last.params ? matches[0] : last)?.staticData as PageInfo
    },
  })

export interface NavEntry {
  path: string
  label: string
  access: PageInfo['access']
  permission: PermissionItem | undefined
}

/** Pages of the navbar in the order of the route table. */
export const listNavEntries = ({ routeTree }: Pick<AnyRouter, 'routeTree'>): NavEntry[] =>
  (routeTree.children as AnyRoute[]).flatMap(({ fullPath, options }) => {
    const { navLabel, navPermission, access } = options.staticData as PageInfo
    return navLabel === undefined ? [] : [{ path: fullPath, label: navLabel, access, permission: navPermission }]
  })

/** 'Plan Manager', 'terminal Nome School', or the path itself where there is no such page. */
export function getPageName({ getMatchedRoutes }: Pick<AnyRouter, 'getMatchedRoutes'>, href: string): string {
  const path = href.split(/[?#]/, 1)[0] as string
  const [, params, route] = getMatchedRoutes(path)
  if (!route || unmatchedParam in params) return path
  const { continueLabel, navLabel, title } = route.options.staticData as PageInfo
  return continueLabel?.(params) ?? navLabel ?? title
}
