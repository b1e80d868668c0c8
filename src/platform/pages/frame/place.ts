/** The place that a page belongs to: a project, a group, the settings. The frame shows its path and its tabs. */
import type { Db } from '../../db/connection.ts'
import type { Tier } from '../../kernel/declaration/types.ts'
import type { IconName } from '../assets/icons.ts'

export interface Crumb {
  readonly label: string
  readonly href: string
}

/** A tab of a place; the wing that has the pages declares it. */
export interface Tab {
  /** What pages call it by. */
  readonly key: string
  readonly label: string
  readonly icon: IconName
  readonly href: string
  readonly count?: number | undefined
  /** `g i`: the keys that lead there. */
  readonly hotkey?: string
  /** The lowest tier that has it. */
  readonly tier?: Exclude<Tier, 'free'>
  /** Pages that its page leads to and that have no tab: the palette offers them too, and the menu of new things those where one begins something. */
  readonly below?: readonly (Crumb & { readonly isNew?: true })[]
}

/** Pages of one place that stand beside each other below headings: the settings, the administration. */
export interface Side {
  /** What the navigation is called. */
  readonly label: string
  /** Where a field above it finds what the pages have. */
  readonly search?: { readonly action: string; readonly label: string }
  /** The key of the page that is shown. */
  readonly current: string
  readonly groups: readonly {
    readonly title?: string
    readonly items: readonly Omit<Tab, 'count' | 'hotkey'>[]
  }[]
}

export interface Place {
  /** From the outermost to this place. */
  readonly crumbs: readonly Crumb[]
  /** Before the path: what kind of place it is, or that it is not public. */
  readonly icon: IconName
  /** What all of its pages say of it, after the path: that it is archived. */
  readonly mark?: string
  readonly tabs: readonly Tab[]
  /** Tabs that lead elsewhere, which only the database knows; the frame puts them behind the others. */
  readonly elsewhere?: (db: Db) => Promise<readonly Tab[]>
  /** The key of the tab that the page belongs to. */
  readonly current?: string
  /** What stands beside the page, on its left. */
  readonly side?: Side
}
