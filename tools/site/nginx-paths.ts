import { modelPaths } from './model-paths.ts'

/** For anyone who fills in ops/nginx/gatehouse.conf without us: the value of MODEL_PATHS. */
console.log(modelPaths())
