import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { pathOfRepository } from '../../spaces/projects/scope.ts'
import { assertProtocol } from '../git_http/protocols.ts'
import { findSide } from './access.ts'

/**
 * `:side_path` is resolved to the repository, if the caller may fetch from it, or 404 (401 for anonymous callers). Kinds have subjects and
 * abilities of their own (`SideRepository`), which are asked here and by `requireSideService`; that of the declaration opens the instance.
 */
export const inSideRepository = scope({
  name: 'inSideRepository',
  path: { side_path: text('Path of the repository, with or without `.git`: `group/project.wiki`') },
  async load({ db, actor, tier, now, url }, { side_path }) {
    const side = await findSide({ db, actor, tier, now, url }, pathOfRepository(side_path))
    await assertProtocol({ db, actor }, 'http')
    return { side }
  },
  subject: () => ({ on: 'instance' as const }),
})
