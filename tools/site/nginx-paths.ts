import { modelPaths } from '../build/model-paths.ts'

/** Prints MODEL_PATHS of ops/nginx/gatehouse.conf. */
console.log(modelPaths())
