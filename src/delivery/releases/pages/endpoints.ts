/** The paths below a release's page: permanent addresses of its links, and the files of its evidences. */

import type { Db } from '../../../platform/db/connection.ts'
import { type ByteAnswer, bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { projectPages } from '../../../spaces/projects/pages/scope.ts'
import { evidenceById } from '../evidences/queries.ts'
import { shownSummary } from '../evidences/summary.ts'
import { linkAtPath } from '../links/queries.ts'
import type { ReleaseRow } from '../queries.ts'
import { inRelease } from '../scope.ts'
import { inReleasePage } from './scope.ts'

/** 302 to the target of a link (document 2 "Release link", `direct_asset_url`). */
async function download(db: Db, release: ReleaseRow, filepath: string): Promise<ByteAnswer> {
  const link = await linkAtPath(db, release.id, `/${filepath}`)
  if (!link) throw notFound('Link')
  return { body: '', headers: { location: new URL(link.url).href, 'cache-control': 'no-store' } }
}

export const downloadAsset = endpoint({
  route: 'GET /:project_path/-/releases/:tag_name/downloads/*filepath',
  summary: 'Be led to a linked file of a release by its path',
  scope: inReleasePage,
  can: 'read_release',
  dialect: projectPages,
  params: { filepath: text('The path of a link', { examples: ['bin/linux'] }) },
  answers: bytes('text/plain', 302),
  run: ({ db, release, params }) => download(db, release, params.filepath),
})

// Contract: the same below the API (public behaviour after 14.0).
export const downloadAssetByApi = endpoint({
  route: 'GET /projects/:id/releases/:tag_name/downloads/*filepath',
  summary: 'Be led to a linked file of a release by its path, by the API',
  scope: inRelease,
  can: 'read_release',
  params: { filepath: text('The path of a link', { examples: ['bin/linux'] }) },
  answers: bytes('text/plain', 302),
  run: ({ db, release, params }) => download(db, release, params.filepath),
})

export const getEvidence = endpoint({
  route: 'GET /:project_path/-/releases/:tag_name/evidences/:evidence_file',
  summary: 'Get what was collected as evidence of a release',
  scope: inReleasePage,
  can: 'read_code',
  dialect: projectPages,
  params: { evidence_file: text('ID of the evidence and `.json`', { examples: ['1.json'] }) },
  answers: bytes('application/json'),
  async run({ db, release, params }) {
    const [, id] = /^(\d{1,15})\.json$/.exec(params.evidence_file) ?? []
    const evidence = id && (await evidenceById(db, release.id, Number(id)))
    if (!evidence) throw notFound('Evidence')
    return { body: JSON.stringify(shownSummary(evidence.summary)) }
  },
})
