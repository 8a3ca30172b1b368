/** Calls `make` again once its last value is older. */
export function cached(milliseconds: number, make: () => Promise<string>) {
  let cache = { until: 0, value: make }
  return () => {
    if (Date.now() > cache.until) {
      const value = make()
      cache = { until: Date.now() + milliseconds, value: () => value }
    }
    return cache.value()
  }
}
