/** The badge of a project's latest release, at its well-known address. */
import { badgeAnswer, looks, SVG } from '../../../ci/status_badges/answer.ts'
import { colors } from '../../../ci/status_badges/svg.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional } from '../../../platform/kernel/declaration/types.ts'
import { inProjectPage, projectPages } from '../../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { releaseOrders, releasesOf } from '../queries.ts'

export const releaseBadge = endpoint({
  route: 'GET /:project_path/-/badges/release.svg',
  summary: 'Show as an image which release of a project is the latest',
  scope: inProjectPage,
  can: 'read_release',
  dialect: projectPages,
  params: {
    ...looks,
    order_by: optional(OneOf(releaseOrders, { description: 'What the latest is chosen by; `released_at` unless given' })),
  },
  answers: bytes(SVG),
  errors: ['not_modified'],
  async run({ db, actor, project, now, params }) {
    const latest = await releasesOf(db, project.id, { order_by: params.order_by ?? 'released_at', sort: 'desc' })
      .where('releases.released_at', '<=', now.toISOString())
      .limit(1)
      .executeTakeFirst()
    // The name of a tag is for those who may read the code, as in the API.
    const mayReadCode = allows(actor, 'read_code', projectSubject(project)) === 'yes'
    const value = latest && (mayReadCode ? latest.tag : `Release-${latest.id}`)
    return badgeAnswer(params, { key: 'Latest Release', value: value ?? 'none', color: latest ? colors.good : colors.unknown })
  },
})
