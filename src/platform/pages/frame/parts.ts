/** What the frame shows of the wings above: the person's counts and what can be created. */

import type { Context } from '../../kernel/context.ts'
import { Port } from '../../kernel/declaration/port.ts'
import type { IconName } from '../assets/icons.ts'

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

export interface FrameParts {
  /** The numbers of a signed-in user: one statement. */
  counters(ctx: Pick<Context, 'db' | 'actor'>): Promise<readonly Counter[]>
  /** The entries of the menu `+`. */
  readonly creations: readonly MenuLink[]
}

export const frameParts = new Port<FrameParts>('frameParts')
