import { PhotoApp } from '../app/photo-app.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Repair a photo · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function PhotoAppRoute() {
  return <PhotoApp />
}
