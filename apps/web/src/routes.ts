import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  layout('routes/site-layout.tsx', [
    index('routes/home.tsx'),
    route('photo', 'routes/photo.tsx'),
    route('resume', 'routes/resume.tsx'),
    route('error', 'routes/error.tsx'),
    route('verify', 'routes/verify.tsx'),
    route('reset', 'routes/reset.tsx'),
  ]),
  route('admin', 'routes/admin-layout.tsx', [
    index('routes/admin-index.tsx'),
    route('dashboard', 'routes/dashboard.tsx'),
    route('*', 'routes/unknown.tsx', { id: 'unknown-admin' }),
  ]),
  route('photo/app', 'routes/photo-app-layout.tsx', [
    index('routes/photo-app.tsx'),
    route('dashboard', 'routes/photo-dashboard.tsx'),
    route('*', 'routes/unknown.tsx', { id: 'unknown-photo-app' }),
  ]),
  route('callback', 'routes/callback.tsx'),
  route('photocallback', 'routes/photocallback.tsx'),
  route('googlecallback', 'routes/googlecallback.tsx'),
  route('photogooglecallback', 'routes/photogooglecallback.tsx'),
  route('*', 'routes/unknown.tsx'),
] satisfies RouteConfig
