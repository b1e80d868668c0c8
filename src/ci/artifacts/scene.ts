/** For tests: uploads as runners make them. */
import type { Answer, Scene } from '../../../test/scene.ts'
import { formWith } from '../../spaces/uploads/scene.ts'

/** Uploads an artifact of a running job, with its token. */
export function uploadTo(
  scene: Scene,
  job: { readonly id: number; readonly token: string },
  bytes: Buffer,
  {
    filename = 'artifacts.zip',
    ...query
  }: { filename?: string; artifact_type?: string; artifact_format?: string; expire_in?: string } = {},
): Promise<Answer> {
  const search = new URLSearchParams(query as Record<string, string>)
  return scene.as({ 'job-token': job.token }).post(`/jobs/${job.id}/artifacts?${search}`, formWith('file', filename, bytes))
}
