/** What the frame shows of the wings above: the person's counts, messages of the administrators, and what can be created; and where pages were before. */

import type { Context } from '../../kernel/context.ts'
import { Port } from '../../kernel/declaration/port.ts'
import type { IconName } from '../assets/icons.ts'
import type { Html } from '../html.ts'
import type { Topic } from '../live/topics.ts'

/** A link of the global bar with a number, as that of the to-dos. */
export interface Counter {
  readonly label: string
  readonly icon: IconName
  readonly href: string
  readonly count: number
  /** The keys that lead there. */
  readonly hotkey: string
}

/** A link of a menu. */
export interface MenuLink {
  readonly label: string
  readonly icon: IconName
  readonly href: string
}

/** What changes from one page to the next. */
export interface Changing {
  /** The numbers of a signed-in user; none for others. */
  readonly counters: readonly Counter[]
  /** What administrators say to the readers of the page, below the global bar and in a corner; undefined where they say nothing. */
  readonly banners: Html | undefined
  readonly notifications: Html | undefined
  readonly appearance: Appearance
}

/** What the instance shows on every page in place of what the program has, and besides it. */
export interface Appearance {
  /** Paths of pictures; undefined for those of the program. */
  readonly logo: string | undefined
  readonly favicon: string | undefined
  /** Above and below the page. */
  readonly header: Html | undefined
  readonly footer: Html | undefined
}

/** Nothing of the instance's own. */
export const ofTheProgram: Appearance = { logo: undefined, favicon: undefined, header: undefined, footer: undefined }

export interface FrameParts {
  /** One statement, for visitors too. */
  changing(ctx: Pick<Context, 'db' | 'actor' | 'deps' | 'request' | 'now'>): Promise<Changing>
  /** What every page of a signed-in user shows of theirs, for its stream of changes. */
  topics(userId: number): readonly Topic[]
  /** The entries of the menu `+`. */
  readonly creations: readonly MenuLink[]
  /**
   * The path, with its query, of the page that an address of another release of the platform is for; undefined for every other address. Pure.
   * @param address with its query and its escapes
   */
  presentAddress(address: string): string | undefined
}

export const frameParts = new Port<FrameParts>('frameParts')
