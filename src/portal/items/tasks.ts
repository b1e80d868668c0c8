/** Ticking one box of a task list in a text: just that line changes, and nothing where it is another one by now. */
import { withTask } from '../../collaboration/markdown/tasks.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint, Route } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { flag, text } from '../../platform/kernel/declaration/types.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { action } from '../../platform/pages/forms/action.ts'

/** A text with boxes. */
export interface Ticked<S extends object> {
  readonly route: Route
  readonly scope: Scope<S>
  /** The declaration that changes the text. */
  readonly of: Endpoint
  /** The parameter of the text, and the text as it is stored now, read behind the lock on its row. */
  readonly stored: (ctx: Context & S) => Promise<readonly [param: string, text: string]>
  readonly next: (ctx: Context & S) => string
}

/** The endpoint that ticks a box. 409 where the line of the box has changed since the page was shown. */
export const tickAction = <S extends object>({ stored, ...ticked }: Ticked<S>): Endpoint =>
  action<S>({
    ...ticked,
    notice: 'The task was changed.',
    errors: ['conflict'],
    instead: {
      params: {
        task: text('The box: the number of its line from 0, and a digest of that', {
          pattern: '^\\d{1,7}:[0-9a-f]{16}$',
          examples: ['0:0123456789abcdef'],
        }),
        done: flag('Whether it is ticked', { default: false }),
      },
      async adapt(ctx, { task, done }) {
        const [param, now] = await stored(ctx)
        const [line, digest = ''] = String(task).split(':')
        const changed = withTask(now, { line: Number(line), digest }, done === true)
        if (changed === undefined)
          throw conflict('The text was changed meanwhile, and this task with it. Nothing was ticked; look at the text again')
        return { [param]: changed }
      },
    },
  })
