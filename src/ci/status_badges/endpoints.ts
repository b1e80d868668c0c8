/** The badges of a branch or tag at their well-known addresses: how its pipeline went, and how much of the code its tests cover. */
import Type from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { newestOfTip, newestSuccess } from '../pipelines/lists/latest.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import { encodeBadgePath } from './address.ts'
import { badgeAnswer, looks, SVG } from './answer.ts'
import { coverageOf } from './queries.ts'
import { colors, type StatusBadge } from './svg.ts'

/** `:ref` is the name of a branch or tag; of one that is not there nothing is known. */
const inBadgeRef = within(inProjectPage, {
  name: 'inBadgeRef',
  path: { ref: text('A branch or tag', { maxLength: 1024 }) },
  load: async (_ctx, { ref }) => ({ ref }),
})

const badgeDialect = { ...root, name: 'status_badges', rewrite: encodeBadgePath }

/** What the badge of a pipeline says, and its colour. */
const pipelineWords: Partial<Record<PipelineRow['status'], readonly [string, StatusBadge['color']]>> = {
  success: ['passed', colors.good],
  failed: ['failed', colors.bad],
  running: ['running', colors.middling],
  pending: ['pending', colors.middling],
  preparing: ['preparing', colors.middling],
}

export const pipelineBadge = endpoint({
  route: 'GET /:project_path/badges/:ref/pipeline.svg',
  summary: 'Show as an image how the newest pipeline of a branch or tag goes',
  scope: inBadgeRef,
  can: 'read_pipeline',
  dialect: badgeDialect,
  params: { ...looks, ignore_skipped: optional(flag('Leave out pipelines of which everything was skipped')) },
  answers: bytes(SVG),
  errors: ['not_modified'],
  async run(ctx) {
    const { project, ref, params } = ctx
    const pipeline = await newestOfTip(ctx, project, ref, { withoutSkipped: params.ignore_skipped === true })
    const status = pipeline?.status ?? 'unknown'
    const [value, color] = (pipeline && pipelineWords[pipeline.status]) ?? [status, colors.unknown]
    return badgeAnswer(params, { key: 'pipeline', value, color })
  },
})

const percent = (description: string, above: number) => optional(Type.Number({ minimum: above, maximum: 100, description }))

export const coverageBadge = endpoint({
  route: 'GET /:project_path/badges/:ref/coverage.svg',
  summary: 'Show as an image how much the tests of a branch or tag cover',
  scope: inBadgeRef,
  can: 'read_pipeline',
  dialect: badgeDialect,
  params: {
    ...looks,
    job: optional(text('The job whose coverage is shown; else the mean of all jobs', { maxLength: 255 })),
    min_good: percent('From where on it is good; 95 unless given', 3),
    min_acceptable: percent('From where on it is acceptable; 90 unless given', 2),
    min_medium: percent('From where on it is medium; 75 unless given', 1),
  },
  answers: bytes(SVG),
  errors: ['not_modified'],
  async run(ctx) {
    const { project, ref, params } = ctx
    const coverage = await shownCoverage(ctx, project, ref, params.job)
    return badgeAnswer(params, {
      key: 'coverage',
      value: coverage === undefined ? 'unknown' : `${coverage.toFixed(2)}%`,
      color: colorOf(coverage, params),
    })
  },
})

async function shownCoverage(ctx: Context, project: ProjectWithRole, ref: string, job: string | undefined): Promise<number | undefined> {
  const pipeline = await newestSuccess(ctx, project, ref)
  return pipeline && coverageOf(ctx.db, pipeline.id, job)
}

function colorOf(
  coverage: number | undefined,
  {
    min_good = 95,
    min_acceptable = 90,
    min_medium = 75,
  }: Partial<Record<'min_good' | 'min_acceptable' | 'min_medium', number | undefined>>,
): StatusBadge['color'] {
  if (coverage === undefined) return colors.unknown
  if (coverage >= min_good) return colors.good
  if (coverage >= min_acceptable) return colors.fair
  return coverage >= min_medium ? colors.middling : colors.bad
}
