import { type AnyRoute, type AnyRouter, useMatches } from '@tanstack/react-router'
import type { FeatureItem } from '#contract/features.ts'

/**
 * What each route declares about its page, next to its path and screen. Navbar, titles, guards and "Continue to …" are
 * derived from it.
 */
export interface PageInfo {
  /** Precedes the site's name in the title of the browser tab. */
  title: string
  /** Who may open it. The server checks access on its own. */
  access: 'public' | 'user' | 'admin'
  /** New users are redirected here from all other pages for users, to change their password. */
  isForNewUsers?: true
  /** Where other users are redirected from an admin page. */
  deniedTo?: '/forbidden' | '/'
  /** Shown in the navbar under this name; an admin page to admins only. */
  navLabel?: string
  /** Shown in the navbar only to users with this permission. */
  navPermission?: FeatureItem
  /** It can show a time in the past. */
  showsPast?: true
  /** Its name in "Continue to …"; otherwise that of the navbar, or the title. */
  continueLabel?: (params: Record<string, string>) => string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageInfo {}
}

/** The current page. For an unknown URL this is the root's, which declares the not-found page. */
export const usePage = (): PageInfo =>
  useMatches({
    // The router also matches the known prefix of an unknown URL, and marks the route that shows the not-found page.
    select: (matches) => (matches.find(({ _notFound }) => _notFound) ?? matches.at(-1))?.staticData as PageInfo,
  })

export interface NavEntry {
  path: string
  label: string
  access: PageInfo['access']
  permission: FeatureItem | undefined
}

/** Pages of the navbar in the order of the route table. */
export const listNavEntries = ({ routeTree }: Pick<AnyRouter, 'routeTree'>): NavEntry[] =>
  (routeTree.children as AnyRoute[]).flatMap(({ fullPath, options }) => {
    const { navLabel, navPermission, access } = options.staticData
    return navLabel === undefined ? [] : [{ path: fullPath, label: navLabel, access, permission: navPermission }]
  })

/** Every page without path parameters. */
export const listPages = ({ routeTree }: Pick<AnyRouter, 'routeTree'>) =>
  (routeTree.children as AnyRoute[]).flatMap(({ fullPath, options }) => {
    const { navLabel, navPermission, access, title } = options.staticData
    if (fullPath.includes('$') || (access === 'public' && navLabel === undefined)) return []
    return [{ path: fullPath, label: title || (navLabel as string), access, permission: navPermission }]
  })

/** 'Plan Manager', 'terminal Nome School', or the path itself where there is no such page. */
export function getPageName({ getMatchedRoutes }: Pick<AnyRouter, 'getMatchedRoutes'>, href: string): string {
  const path = href.split(/[?#]/, 1)[0] as string
  const [, params, route] = getMatchedRoutes(path)
  // The rest of a URL that matches only in part.
  if (!route || '**' in params) return path
  const { continueLabel, navLabel, title } = route.options.staticData
  return continueLabel?.(params) ?? navLabel ?? title
}
