/** Pages of pipelines and jobs. */
import './job_log.ts'
import './pipeline_graph.ts'
